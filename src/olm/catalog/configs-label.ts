/** The label of an image that names the folder of its catalogue. Source: operator-registry `pkg/containertools`. */
export const configsLabel = 'operators.operatorframework.io.index.configs.v1';
