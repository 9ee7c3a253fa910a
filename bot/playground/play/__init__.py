"""`/play`: what people do and see, and how the stage is set. No Discord route, and no authentication."""
