package dev.spur.connectors.kubernetes;

/** The cluster rejected a request, or the request cannot be expressed for its kind of job. */
final class KubernetesRejection extends Exception {
    private static final long serialVersionUID = 1;

    KubernetesRejection(String message) {
        super(message);
    }
}
