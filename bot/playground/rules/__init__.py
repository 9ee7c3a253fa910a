"""What Discord refuses in a body: mostly what its own API description does not say."""
