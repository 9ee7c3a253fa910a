"""Discord extensions: parse, call the referee, show. No rules, no SQL."""
