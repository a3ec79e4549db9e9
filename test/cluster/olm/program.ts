// Stands for each program of OLM in its Pod: it answers its probes. catalogd's serves its webhook too, with the certificate of its Secret.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { basename } from 'node:path';
import { serveCatalogueWebhook } from '../../sessions/olm/catalogue-webhook.ts';

/** Where the releases look: v0, v1. */
const probePorts = [8080, 8081];

async function run(): Promise<void> {
  // The first process of a container ignores the signal otherwise.
  const ended = once(process, 'SIGTERM');
  const webhook = basename(process.argv[1] ?? '') === 'catalogd' ? await serveWebhook() : undefined;
  const probes = probePorts.map(serveProbe);
  await ended;
  for (const server of probes) {
    server.close();
    server.closeAllConnections();
  }
  await webhook?.[Symbol.asyncDispose]();
}

function serveProbe(port: number): Server {
  return createServer((_, answer) => answer.end('ok\n')).listen(port);
}

function serveWebhook(): Promise<AsyncDisposable> {
  return serveCatalogueWebhook({
    certificate: readFileSync('/var/certs/tls.crt', 'utf8'),
    key: readFileSync('/var/certs/tls.key', 'utf8'),
    port: 9443,
  });
}

void run();
