"""People, places, organisations, projects and technologies that messages name, and how they are related."""
