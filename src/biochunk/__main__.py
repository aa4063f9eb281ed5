"""`python -m biochunk` does what the command `biochunk` does."""

from .cli import main

if __name__ == "__main__":
    main()
