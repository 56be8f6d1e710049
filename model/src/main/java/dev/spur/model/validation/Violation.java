package dev.spur.model.validation;

/**
 * A violated rule.
 *
 * @param rule name of the rule, the same in tests and documentation
 * @param subject the violating object: a JSON pointer into the problem, or the id of a job, node or tenant
 * @param message the violation with its values
 */
public record Violation(String rule, String subject, String message) {}
