"""The tour of the web interface: demo data, and the screenshots of `docs/tour.md` (`make tour`)."""
