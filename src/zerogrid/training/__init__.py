"""The loop from champion to candidate to champion, its gates and curricula, and the run directory."""
