/** State that the cluster and the operator have, or should have: each as a text that differs where the content does. */
export interface DevState {
  /** The CustomResourceDefinitions. */
  readonly crds: string | undefined;
  /** The samples; undefined where none are applied. */
  readonly samples: string | undefined;
  /** The webhook configurations; undefined where nothing is done for webhooks. */
  readonly webhooks: string | undefined;
  /** The operator's ServiceAccount and its roles; undefined where the operator runs as somebody else. */
  readonly access: string | undefined;
  /** The bundled operator. */
  readonly bundle: string | undefined;
}

/** Steps that a change needs, in this order. */
export interface NextSteps {
  readonly installCrds: boolean;
  readonly bringAccess: boolean;
  readonly bringWebhooks: boolean;
  readonly restart: boolean;
  readonly applySamples: boolean;
}

/**
 * Finds the steps after which cluster and operator have what the files say.
 *
 * @param done what they have
 * @param wanted what the files say; undefined where files have errors: that part stays as it is
 * @param running whether there is an operator; one that ended by itself starts again with the next change
 */
export function nextSteps(done: DevState, wanted: DevState, running: boolean): NextSteps {
  const differs = (part: keyof DevState): boolean =>
    wanted[part] !== undefined && wanted[part] !== done[part];
  const installCrds = differs('crds');
  const bringAccess = differs('access');
  const bringWebhooks = differs('webhooks');
  // An operator is started with what its webhooks need.
  const hasOther = installCrds || bringAccess || bringWebhooks;
  return {
    installCrds,
    bringAccess,
    bringWebhooks,
    // Watches that were open when a definition changed may have missed what is new in it: the operator must list again. And what it was
    // forbidden it tries again at its start.
    restart: wanted.bundle !== undefined && (differs('bundle') || hasOther || !running),
    // A sample may be written for what its kind has become.
    applySamples: differs('samples') || (installCrds && wanted.samples !== undefined),
  };
}
