"""`python -m zerogrid` is the same as `zerogrid`."""

import sys

from zerogrid.cli import main

sys.exit(main())
