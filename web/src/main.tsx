import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { client, fetchEarly } from './queries.ts'
import { parseRoute } from './router.tsx'
import './styles/app.css'

const route = parseRoute(location.pathname)
if (route.page === 'run') fetchEarly(route.id)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
