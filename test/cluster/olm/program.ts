// Stands for each program of OLM in its Pod: it answers its probes. catalogd's serves its webhook too, with the certificate of its Secret.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { serveCatalogueWebhook } from '../../sessions/olm/catalogue-webhook.ts';

/** Where the releases look: v0, v1. */
const probePorts = [8080, 8081];

// The first process of a container ignores the signal otherwise.
process.on('SIGTERM', () => process.exit());

async function run(): Promise<void> {
  if (basename(process.argv[1] ?? '') === 'catalogd')
    await serveCatalogueWebhook({
      certificate: readFileSync('/var/certs/tls.crt', 'utf8'),
      key: readFileSync('/var/certs/tls.key', 'utf8'),
      port: 9443,
    });
  for (const port of probePorts) createServer((_, answer) => answer.end('ok\n')).listen(port);
}

void run();
