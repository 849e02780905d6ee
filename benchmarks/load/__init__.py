"""Load on a running service from a second process, beside the services of peers: `make load`."""
