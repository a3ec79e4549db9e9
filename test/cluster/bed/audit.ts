import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';
import type { ClusterBed } from './cluster-bed.ts';

const logFile = (folder: string): string => join(folder, 'audit.log');

/** Returns the flags with which the API server notes what ServiceAccounts ask for, except those of Kubernetes itself. */
export function auditFlags(folder: string): readonly string[] {
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived', 'ResponseStarted'],
    rules: [
      { level: 'None', userGroups: ['system:serviceaccounts:kube-system'] },
      { level: 'Metadata', userGroups: ['system:serviceaccounts'] },
      { level: 'None' },
    ],
  };
  const policyFile = join(folder, 'audit-policy.yaml');
  writeFileSync(policyFile, toYaml(policy));
  return [`--audit-policy-file=${policyFile}`, `--audit-log-path=${logFile(folder)}`];
}

interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly responseStatus?: { readonly code: number; readonly message?: string };
}

/** What the API server has answered to the ServiceAccounts of a namespace. */
export interface AnsweredRequests {
  readonly count: number;
  /** Requests that were forbidden, each with the API server's reason. */
  readonly forbidden: readonly string[];
}

/** Reads from the audit log what the ServiceAccounts of a namespace have asked for since the bed has started. */
export function answersTo({ folder }: ClusterBed, namespace: string): AnsweredRequests {
  const user = `"username":"system:serviceaccount:${namespace}:`;
  const lines = readFileSync(logFile(folder), 'utf8')
    .split('\n')
    .filter((line) => line.includes(user));
  const forbidden = lines
    .filter((line) => line.includes('"code":403'))
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ responseStatus }) => responseStatus?.code === 403)
    .map(({ verb, requestURI, responseStatus }) => `${verb} ${requestURI}: ${responseStatus?.message ?? ''}`);
  return { count: lines.length, forbidden };
}
