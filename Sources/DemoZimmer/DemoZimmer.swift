// Start here.
