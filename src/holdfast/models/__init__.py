"""Language models: one interface over HTTP to the providers' own forms of request."""
