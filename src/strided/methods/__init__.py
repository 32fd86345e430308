"""Methods of Tensor that are no definitions yet; ``tensor_class.py`` gives them to the class."""
