package dev.spur.service;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The Spring context of the service: everything below this package is scanned. */
@SpringBootApplication
public class SpurApplication {}
