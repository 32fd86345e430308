"""What other programs load by entry points. Nothing here imports strided before it is used."""
