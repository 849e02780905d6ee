// Starts the application.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Problem } from "./api/client";
import { makeRouter } from "./app/router";
import { sessionQuery } from "./app/session";
import "./styles/index.css";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, cause) => count < 2 && !(cause instanceof Problem && cause.status >= 400 && cause.status < 500),
    },
  },
});
// asked before anything is drawn: nothing is shown without the answer
queries.query(sessionQuery).catch(() => undefined);
const router = makeRouter();
const place = document.getElementById("root");
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}><RouterProvider router={router} /></QueryClientProvider>
    </StrictMode>,
  );
}
