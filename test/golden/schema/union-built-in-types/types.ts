import type { CustomResource } from 'opsdk';
import type { ExecAction, HTTPGetAction, TCPSocketAction } from 'opsdk/k8s/core/v1';

export interface Sample extends CustomResource {
  spec: {
    action: ExecAction | { url: string };
    either: { http: HTTPGetAction } | { tcp: TCPSocketAction };
  };
}
