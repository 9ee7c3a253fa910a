"""Discord extensions: parse, call the referee, draw. No rules, no SQL."""
