"""Networks and other judges of positions behind one small interface, with caches and checks around them."""
