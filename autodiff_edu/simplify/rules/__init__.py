"""The tables of rules, one file a subject, and what can be proved of a value."""
