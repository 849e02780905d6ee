"""Detects the framework of a service and the type of service that it implies (S4.6)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

_KNOWN: tuple[tuple[str, str, str], ...] = (
    # package, framework, type; the first present one wins, so the more specific come first
    ("next", "Next.js", "frontend"), ("nuxt", "Nuxt", "frontend"), ("@remix-run/react", "Remix", "frontend"),
    ("astro", "Astro", "frontend"), ("gatsby", "Gatsby", "frontend"),
    ("@sveltejs/kit", "SvelteKit", "frontend"),
    ("electron", "Electron", "desktop"), ("@tauri-apps/api", "Tauri", "desktop"),
    ("tauri", "Tauri", "desktop"),
    ("react-native", "React Native", "frontend"), ("expo", "Expo", "frontend"),
    ("@nestjs/core", "NestJS", "backend"), ("express", "Express", "backend"),
    ("fastify", "Fastify", "backend"),
    ("koa", "Koa", "backend"), ("hono", "Hono", "backend"), ("@hapi/hapi", "hapi", "backend"),
    ("@angular/core", "Angular", "frontend"), ("vue", "Vue", "frontend"), ("svelte", "Svelte", "frontend"),
    ("solid-js", "Solid", "frontend"), ("react", "React", "frontend"), ("preact", "Preact", "frontend"),
    ("http-proxy", "http-proxy", "proxy"), ("http-proxy-middleware", "http-proxy-middleware", "proxy"),
    ("puppeteer", "Puppeteer", "scraper"), ("crawlee", "Crawlee", "scraper"), ("bullmq", "BullMQ", "worker"),
    ("django", "Django", "backend"), ("fastapi", "FastAPI", "backend"), ("flask", "Flask", "backend"),
    ("starlette", "Starlette", "backend"), ("litestar", "Litestar", "backend"), ("sanic", "Sanic", "backend"),
    ("aiohttp", "aiohttp", "backend"), ("tornado", "Tornado", "backend"), ("scrapy", "Scrapy", "scraper"),
    ("celery", "Celery", "worker"), ("rq", "RQ", "worker"), ("dramatiq", "Dramatiq", "worker"),
    ("streamlit", "Streamlit", "frontend"), ("gradio", "Gradio", "frontend"), ("pyqt6", "Qt", "desktop"),
    ("pyside6", "Qt", "desktop"), ("mitmproxy", "mitmproxy", "proxy"),
    ("axum", "axum", "backend"), ("actix-web", "Actix Web", "backend"), ("rocket", "Rocket", "backend"),
    ("warp", "warp", "backend"), ("tonic", "tonic", "backend"), ("leptos", "Leptos", "frontend"),
    ("yew", "Yew", "frontend"), ("pingora", "Pingora", "proxy"),
    ("github.com/gin-gonic/gin", "Gin", "backend"), ("github.com/labstack/echo/v4", "Echo", "backend"),
    ("github.com/gofiber/fiber/v2", "Fiber", "backend"), ("github.com/go-chi/chi/v5", "chi", "backend"),
    ("github.com/gocolly/colly", "Colly", "scraper"), ("github.com/gocolly/colly/v2", "Colly", "scraper"),
    ("spring-boot-starter-web", "Spring Boot", "backend"), ("spring-boot-starter", "Spring Boot", "backend"),
    ("quarkus-core", "Quarkus", "backend"), ("micronaut-http-server-netty", "Micronaut", "backend"),
    ("rails", "Rails", "backend"), ("sinatra", "Sinatra", "backend"), ("sidekiq", "Sidekiq", "worker"),
    ("laravel/framework", "Laravel", "backend"), ("symfony/framework-bundle", "Symfony", "backend"),
)  # fmt: skip
_COMMAND_LINE = frozenset(
    "click typer docopt fire commander yargs oclif clap structopt argh github.com/spf13/cobra picocli".split()
)
_BY_FOLDER = (
    (("frontend", "web", "webapp", "client", "ui", "site"), "frontend"),
    (("backend", "server", "api", "service"), "backend"),
    (("worker", "workers", "jobs", "queue"), "worker"),
    (("scraper", "crawler", "spider"), "scraper"),
    (("proxy", "gateway"), "proxy"),
    (("desktop",), "desktop"),
)


def framework_of(
    dependencies: Collection[str], files: Sequence[str], folder: str, has_command: bool
) -> tuple[str | None, str]:
    """Returns the framework of a service, or None, and its type.

    Types are frontend, backend, worker, scraper, proxy, desktop, cli and library. `dependencies` are in lower
    case.
    """
    framework = next(((name, type) for package, name, type in _KNOWN if package in dependencies), None)
    if framework is not None:
        return framework
    name = folder.rpartition("/")[2].lower()
    for names, type in _BY_FOLDER:
        if name in names:
            return None, type
    is_command = has_command or not _COMMAND_LINE.isdisjoint(dependencies)
    runs = any(file in ("main.go", "src/main.rs") or file.startswith("cmd/") for file in files)
    return None, "cli" if is_command or runs else "library"
