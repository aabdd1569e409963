"""The faces: MCP, HTTP and the command line. Async code and frameworks live here only."""
