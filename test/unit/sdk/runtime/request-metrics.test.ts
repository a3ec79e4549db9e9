import { describe, expect, test } from 'vitest';
import type { RequestObservation } from '../../../../src/sdk/kube/index.ts';
import { metricsRegistry, observeRequest } from '../../../../src/sdk/runtime/metrics/index.ts';

const host = 'metrics.example:6443';
const exchange: RequestObservation = {
  target: { verb: 'get' },
  method: 'GET',
  host,
  code: '200',
  seconds: 0.2,
  requestBytes: 0,
  responseBytes: 1500,
  attempt: 1,
  isStream: false,
};

/** The lines about this host, without the host. */
async function lines(name: string): Promise<string[]> {
  const text = await metricsRegistry.getSingleMetricAsString(name);
  return text
    .split('\n')
    .filter((line) => line.includes(host))
    .map((line) => line.replace(`,host="${host}"`, ''));
}

describe('the metrics of requests', () => {
  test('count, time and size each exchange under the names of client-go', async () => {
    observeRequest(exchange);
    observeRequest({ ...exchange, method: 'POST', code: '429', requestBytes: 100, responseBytes: 70 });
    observeRequest({ ...exchange, method: 'POST', code: '201', requestBytes: 100, attempt: 2 });
    observeRequest({ ...exchange, code: '<error>', seconds: 70, responseBytes: 0 });
    observeRequest({ ...exchange, isStream: true });
    expect(await lines('rest_client_requests_total')).toEqual([
      'rest_client_requests_total{code="200",method="GET"} 2',
      'rest_client_requests_total{code="429",method="POST"} 1',
      'rest_client_requests_total{code="201",method="POST"} 1',
      'rest_client_requests_total{code="<error>",method="GET"} 1',
    ]);
    expect(await lines('rest_client_request_retries_total')).toEqual([
      'rest_client_request_retries_total{code="201",verb="POST"} 1',
    ]);
    const durations = await lines('rest_client_request_duration_seconds');
    expect(durations).toContain('rest_client_request_duration_seconds_bucket{le="0.25",verb="GET"} 1');
    expect(durations).toContain('rest_client_request_duration_seconds_bucket{le="60",verb="GET"} 1');
    expect(durations).toContain('rest_client_request_duration_seconds_count{verb="GET"} 2');
    const sent = await lines('rest_client_request_size_bytes');
    expect(sent).toContain('rest_client_request_size_bytes_bucket{le="64",verb="GET"} 2');
    expect(sent).toContain('rest_client_request_size_bytes_sum{verb="POST"} 200');
    const got = await lines('rest_client_response_size_bytes');
    expect(got).toContain('rest_client_response_size_bytes_bucket{le="1024",verb="GET"} 0');
    expect(got).toContain('rest_client_response_size_bytes_bucket{le="4096",verb="GET"} 1');
    expect(got).toContain('rest_client_response_size_bytes_count{verb="GET"} 1');
  });
});
