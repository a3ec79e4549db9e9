// The front of the storage server in its Pod: the other container of the Pod listens on port 4443.
import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { startGoogleFront } from '../../helpers/google-front.ts';

async function run(): Promise<void> {
  const { ENDPOINT: endpoint = '', EMAIL: email = '', PUBLIC_KEY: publicKey = '' } = process.env;
  const account = { json: '', email, publicKey: createPublicKey(publicKey) };
  const options = { upstreamPort: 4443, host: '0.0.0.0', port: 8080, endpoint, account };
  const front = await startGoogleFront(options);
  await once(process, 'SIGTERM');
  await front[Symbol.asyncDispose]();
}

void run();
