"""The compiled state-space engine."""
