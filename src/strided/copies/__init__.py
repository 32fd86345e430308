"""Every duplication of elements: counted, watched, forbidden, foretold, or made on purpose."""
