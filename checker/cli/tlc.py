import click
@click.command()
def tlc() -> None:
    """x."""
