"""Card faces and charts as SVG. Only `render` needs a library, which only worker processes load."""
