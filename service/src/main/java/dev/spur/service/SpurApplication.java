package dev.spur.service;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The Spring context of the service: every package below this one is scanned. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class SpurApplication {}
