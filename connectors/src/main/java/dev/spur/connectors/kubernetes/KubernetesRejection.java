package dev.spur.connectors.kubernetes;

/** The cluster answered, and the answer was no; or what is asked cannot be said to it. */
final class KubernetesRejection extends Exception {
    private static final long serialVersionUID = 1;

    KubernetesRejection(String message) {
        super(message);
    }
}
