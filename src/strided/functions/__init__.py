"""Functions of the namespace ``strided``; they follow the array API where it has the name."""
