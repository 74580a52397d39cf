"""How a run went: what is known of it (findings), drawn (charts), on one page (page)."""
