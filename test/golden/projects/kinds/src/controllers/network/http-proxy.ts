import { conditionsOf, defineController } from 'opsdk';
import { HTTPProxy, type HTTPProxyStatus } from '../../api/network/v1/http-proxy.ts';

/** The status of an HTTPProxy. Replace it by what your operator observes. */
export function observedStatus(httpProxy: HTTPProxy): HTTPProxyStatus {
  const conditions = conditionsOf(httpProxy, ['Ready']);
  conditions.true('Ready', 'Reconciled', 'The operator has seen the object');
  return { conditions: conditions.toJSON() };
}

export const httpProxyController = defineController({
  for: HTTPProxy,
  // Called when an HTTPProxy was created or changed, with the object as it is now.
  async reconcile(httpProxy, { client, key }) {
    // Create what httpProxy.spec asks for, then report what you observe.
    await client.applyStatus(HTTPProxy, key, observedStatus(httpProxy));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(httpProxy, { message }, { client, key }) {
    const conditions = conditionsOf(httpProxy, ['Ready']);
    conditions.false('Ready', 'ReconcileFailed', message);
    await client.applyStatus(HTTPProxy, key, { conditions: conditions.toJSON() });
  },
});
