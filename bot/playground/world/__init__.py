"""Who and what there is, and what becomes of it: people, servers, channels, messages, interactions."""
