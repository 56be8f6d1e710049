package dev.spur.connectors.kubernetes;

/** The cluster rejected a request, or the request cannot be expressed for its kind of job. */
final class KubernetesRejection extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean denial;

    KubernetesRejection(String message) {
        this(message, false);
    }

    /** Creates a rejection. {@code denial} is true if the cluster denied the permission. */
    KubernetesRejection(String message, boolean denial) {
        super(message);
        this.denial = denial;
    }

    /** Returns true if the cluster denied the permission. An API server that starts also denies permissions. */
    boolean isDenial() {
        return denial;
    }
}
