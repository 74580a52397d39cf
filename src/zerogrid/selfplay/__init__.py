"""Many games side by side, finished ones replaced at once; what they teach as examples."""
