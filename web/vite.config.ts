// Builds the application into the package; in development, passes what is not a page on to `holdfast serve`.
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type ProxyOptions } from "vite";

/** Keeps the graph library to the content security policy: it adds no style elements and empties by no HTML. */
function withoutInjection(): Plugin {
  return {
    name: "without-injection",
    transform(code, id) {
      if (!/force-graph|float-tooltip/.test(id)) return null;
      return code.replaceAll(/^styleInject\(\w+\);$/gm, "").replaceAll(/\.innerHTML = ''/g, ".replaceChildren()");
    },
  };
}

/** Files that every page needs: a browser compiles them while they arrive, in another thread, and not at each first call. */
const NEEDED = /^(base|icons|shared|index)$/;

const service = process.env["HOLDFAST_SERVICE"] ?? "http://127.0.0.1:5858";
const passed: ProxyOptions = {
  target: service,
  changeOrigin: true,
  configure: (proxy) => proxy.on("proxyReq", (request) => {
    request.removeHeader("origin");
    request.removeHeader("sec-fetch-site");
  }),
};
const proxy = Object.fromEntries(["/v1", "/auth", "/health", "/openapi.json"].map((path) => [path, passed]));
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

export default defineConfig({
  plugins: [react(), withoutInjection()],
  resolve: { alias: { "@": new URL("./src", import.meta.url).pathname } },
  build: {
    outDir: "../src/holdfast/http/static",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: "es2022",
    rolldownOptions: {
      output: {
        postBanner: ({ name }) => (NEEDED.test(name) ? "//# allFunctionsCalledOnLoad" : ""),
        codeSplitting: { groups: [
          // a browser asks for a few files of some size sooner than for many small ones
          { name: "icons", test: /node_modules\/lucide-react/ },
          { name: "base", test: /node_modules\/(react|react-dom|scheduler|openapi-fetch|@tanstack\/(?!react-virtual|virtual-core)[a-z-]+)\// },
          { name: "shared", test: /\/src\/(?!ui\/VirtualList)/, minShareCount: 3, maxModuleSize: 8_000 },
        ] },
      },
    },
  },
  server: { proxy },
  preview: { proxy, headers: { "Content-Security-Policy": policy } },
});
