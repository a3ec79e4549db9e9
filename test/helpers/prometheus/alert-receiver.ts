import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

/** Alert of a notification. Source: https://prometheus.io/docs/alerting/latest/configuration/#webhook_config */
export interface NotifiedAlert {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A receiver of type webhook for Alertmanager, on loopback. */
export interface AlertReceiver extends AsyncDisposable {
  readonly url: string;
  /** Alerts of all notifications until now. */
  readonly alerts: readonly NotifiedAlert[];
}

export async function startAlertReceiver(): Promise<AlertReceiver> {
  const alerts: NotifiedAlert[] = [];
  const server = createServer((request, response) => {
    json(request).then(
      (body) => {
        alerts.push(...(body as { readonly alerts: readonly NotifiedAlert[] }).alerts);
        response.end();
      },
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    alerts,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
