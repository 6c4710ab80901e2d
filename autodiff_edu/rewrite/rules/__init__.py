"""The tables of rules, one file a subject; each row reads as an equation."""
