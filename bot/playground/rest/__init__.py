"""Discord's REST API, `/api/v10`: one pipeline, and a file of routes for each kind of thing."""
