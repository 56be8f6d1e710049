package dev.spur.agent.inventory;

/** Failure to detect the resources of the node. The message contains the remedy. */
public final class InventoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InventoryException(String message) {
        super(message);
    }
}
