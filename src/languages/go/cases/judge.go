// Checks trees of Go files with the language's own type checker. Each argument is a directory that holds a module; for each of its
// files with an error a line `directory TAB path` is printed. Only for code that imports nothing from outside its module.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type tree struct {
	root     string
	files    *token.FileSet
	packages map[string]*types.Package
	broken   map[string]bool
}

func (t *tree) Import(path string) (*types.Package, error) {
	if known := t.packages[path]; known != nil {
		return known, nil
	}
	directory := filepath.Join(t.root, strings.TrimPrefix(path, "example.org/p/"))
	parsed, err := parser.ParseDir(t.files, directory, nil, 0)
	if err != nil || len(parsed) == 0 {
		return nil, fmt.Errorf("no package %s", path)
	}
	var sources []*ast.File
	for _, one := range parsed {
		var names []string
		for name := range one.Files {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			sources = append(sources, one.Files[name])
		}
	}
	configuration := types.Config{Importer: t, Error: func(err error) {
		if said, ok := err.(types.Error); ok {
			t.broken[t.files.Position(said.Pos).Filename] = true
		}
	}}
	checked, _ := configuration.Check(path, t.files, sources, nil)
	t.packages[path] = checked
	return checked, nil
}

func main() {
	for _, directory := range os.Args[1:] {
		one := &tree{directory, token.NewFileSet(), map[string]*types.Package{}, map[string]bool{}}
		entries, err := os.ReadDir(directory)
		if err != nil {
			panic(err)
		}
		for _, entry := range entries {
			if entry.IsDir() {
				one.Import("example.org/p/" + entry.Name())
			}
		}
		for path := range one.broken {
			relative, _ := filepath.Rel(directory, path)
			fmt.Printf("%s\t%s\n", directory, relative)
		}
	}
}
