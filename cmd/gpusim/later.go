package main

import "github.com/spf13/cobra"

func compareCommand(io streams) *cobra.Command { return &cobra.Command{Use: "compare"} }
