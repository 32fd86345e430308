"""Files of other programs as tensors: views of one mapped storage per file."""
