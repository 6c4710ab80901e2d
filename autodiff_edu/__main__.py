"""`python -m autodiff_edu` is the command `autodiff-edu`."""

from .command.app import main

if __name__ == "__main__":
    main()
