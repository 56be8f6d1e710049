package dev.spur.service.database;

/**
 * Value with the version of its row, which rises with every change.
 *
 * @param version from 1
 */
public record Versioned<T>(T value, long version) {}
