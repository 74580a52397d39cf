# The two commands a newcomer needs. Each makes .venv first, or does nothing about it when it is up to date.
# Another Python than the first one found: make test PYTHON=python3.12
export PYTHON

.PHONY: demo test setup pictures

demo: setup ## see what ZeroGrid does
	@scripts/demo

test: setup ## check everything
	@scripts/test

setup: ## make .venv, with everything at the versions of constraints.txt
	@scripts/setup

pictures: setup ## draw docs/images again
	@.venv/bin/python scripts/pictures.py
