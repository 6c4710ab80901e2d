"""A rewrite rule against numbers: both sides at simple and at extreme points, and its measure.

Takes: a rule. Gives: a `Report`, with the simplest point at which its promise is broken.
"""
