package dev.spur.connectors.kubernetes;

/** The cluster answered, and the answer was no; or what is asked cannot be said to it. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    Refusal(String message) {
        super(message);
    }
}
