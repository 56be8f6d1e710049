package dev.spur.agent.inventory;

/** The node does not tell what it has; the message says what to do. */
public final class InventoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InventoryException(String message) {
        super(message);
    }
}
