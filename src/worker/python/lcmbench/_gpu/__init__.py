"""What `lcmbench.gpu` is made of."""
