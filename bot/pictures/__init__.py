"""Card faces and what else is drawn, as SVG. Only `render` needs a library, and only workers load it."""
